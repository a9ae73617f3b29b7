# SPDX-License-Identifier: Apache-2.0
"""Change points in a history of run values (log time, one value per run): the oracle for stats/change_point.cpp, numpy and scipy only.
Binary segmentation. A split must pass BOTH max-type tests: (1) max rank-CUSUM with its exact distribution-free null and
(2) max pooled-t with its Gaussian null after dividing by sqrt((1+phi)/(1-phi)) for lag-1 autocorrelation. Then margin + merge.
Both look at the values without isolated outliers; where any were replaced, the ranks of the values as measured have to agree,
by T/sqrt((1+phi)/(1-phi)) where so many were replaced that they are a rarer state of the machine.
Nulls are simulated once with a fixed seed -> deterministic."""
import numpy as np
from functools import lru_cache
from scipy import stats
def _rank(r,m):
    n=r.shape[-1]; k=np.arange(m,n-m+1); c=np.cumsum(r,-1)[...,m-1:n-m]
    return (np.abs(c-k*(n+1)/2)/np.sqrt(k*(n-k)*(n+1)/12.0)).max(-1)
def _tt(y,m):
    """max over k of |two-sample pooled t|; returns max and k"""
    n=y.shape[-1]; y=y-y.mean(-1,keepdims=True); k=np.arange(m,n-m+1); c=np.cumsum(y,-1)[...,m-1:n-m]; S=(y*y).sum(-1,keepdims=True)
    b=c*c*n/(k*(n-k)); t=np.sqrt(b*(n-2)/np.maximum(S-b,1e-300)); j=t.argmax(-1); return np.take_along_axis(t,j[...,None],-1)[...,0],j+m
@lru_cache(None)
def _null(n,m,B=20000):
    rng=np.random.default_rng(12345+n*131+m); y=rng.standard_normal((B,n)); return np.sort(_rank(np.argsort(np.argsort(y,1),1)+1.0,m)),np.sort(_tt(y,m)[0])
def _p(s,T): return (len(s)-np.searchsorted(s,T-1e-12)+1)/(len(s)+1)
def hampel(y,w=3,k=4.0):
    """isolated one-run outliers cannot be a level change: replace by the local median"""
    n=len(y); d=np.diff(y); s0=1.4826*np.median(np.abs(d-np.median(d)))/np.sqrt(2)+1e-12; z=y.copy()
    for i in range(n):
        a=y[max(0,i-w):i]; b=y[i+1:i+1+w]
        if len(a)>=2 and len(b)>=2:
            lo,hi=min(np.median(a),np.median(b)),max(np.median(a),np.median(b))
            if y[i]<lo-k*s0 or y[i]>hi+k*s0: z[i]=np.median(np.concatenate([a,b]))
    return z
def _phi(y,cps):
    b=[0]+cps+[len(y)]; num=den=0.0; n=0
    for i,j in zip(b[:-1],b[1:]):
        e=y[i:j]-np.mean(y[i:j]); x=np.arange(j-i)-(j-i-1)/2; e=e-x*((x*e).sum()/(x*x).sum()); num+=(e[1:]*e[:-1]).sum(); den+=(e*e).sum(); n+=1
    if den<=0: return 0.0
    f=num/den; return float(np.clip(f+(3+4*max(f,0))*n/len(y),0,0.9))          # Kendall's bias about a trend, and one more for the place of the split
def test_split(z,m,f):
    n=len(z); nr,nt=_null(n,m); T,k=_tt(z,m); return max(_p(nr,_rank(stats.rankdata(z),m)),_p(nt,float(T)/np.sqrt(f))),float(T),int(k)
def _rank_sum(A,B):
    nn=len(A)+len(B); r=stats.rankdata(np.concatenate([A,B]))[:len(A)].sum(); return abs(r-len(A)*(nn+1)/2)/np.sqrt(len(A)*len(B)*(nn+1)/12)
def search(y,z,states,alpha,min_mag,m,window,ar):
    n=len(z)
    def segs(lo,hi,f):
        if hi-lo<2*m: return []
        W=[(lo,hi)] if hi-lo<=window else [(s,s+window) for s in range(lo,hi-window,window//2)]+[(hi-window,hi)]
        best=min(((lambda p,T,k:(p,-T,a+k))(*test_split(z[a:e],m,f)) for a,e in W))
        if best[0]>alpha and window//2<hi-lo<=window:   # a level between two that are alike: short windows share a fifth of alpha
            w=window//2; W=[(s,s+w) for s in range(lo,hi-w,w//3)]+[(hi-w,hi)]; p,T,k=min(((lambda p,T,k:(p,-T,a+k))(*test_split(z[a:e],m,f)) for a,e in W)); best=(2 if p>alpha/5 else p,T,k)
        if best[0]>alpha: return []
        k=best[2]; return segs(lo,k,f)+[k]+segs(k,hi,f)
    cps=segs(0,n,1.0); f=g=1.0
    if ar and cps:                          # second pass: inflate for the autocorrelation left inside the segments
        ph=_phi(z,cps); f=(1+ph)/(1-ph)
        if states: ph=_phi(y,cps); g=(1+ph)/(1-ph)
        if f>1.1: cps=segs(0,n,f)
    while cps:                              # merge weakest until every neighbour pair differs by the margin and significantly
        b=[0]+cps+[n]; info=[]
        for i,c in enumerate(cps):
            A=z[max(b[i],c-window):c]; B=z[c:min(b[i+2],c+window)]; nn=len(A)+len(B); mag=abs(np.median(B)-np.median(A))
            T=_rank_sum(A,B)
            sp=np.sqrt((((A-A.mean())**2).sum()+((B-B.mean())**2).sum())/(nn-2))+1e-300; t=abs(A.mean()-B.mean())/(sp*np.sqrt(1/len(A)+1/len(B)))
            nr,nt=_null(nn,m); p=max(_p(nr,T),_p(nt,t/np.sqrt(f))); U=y[max(b[i],c-window):c]; V=y[c:min(b[i+2],c+window)]
            if ((U!=A)&(2*abs(U-np.median(B))<=mag)).any() or ((V!=B)&(2*abs(V-np.median(A))<=mag)).any(): p=max(p,_p(nr,_rank_sum(U,V)/np.sqrt(g)))
            info.append((mag>=np.log1p(min_mag),p,mag))
        bad=[i for i,x in enumerate(info) if not x[0] or x[1]>alpha]
        if not bad: break
        w=min(bad,key=lambda i:(info[i][0],-info[i][1],info[i][2])); cps=cps[:w]+cps[w+1:]
    return cps
def _levels(z,known,window):
    b=[0]+[c for c,_ in known]+[len(z)-known[-1][1]]
    return [(np.median(z[max(b[i],c-window):c]),np.median(z[c:min(b[i+2],c+window)])) for i,(c,_) in enumerate(known)]
def detect(y,alpha=0.001,min_mag=0.01,m=4,window=60,outliers=True,ar=True,newest=5):
    """what the whole series shows, and what only shows without its newest 1 ... 5 values, which are too few for a level of their own"""
    y=np.asarray(y,float); n=len(y); z=hampel(y) if outliers else y.copy(); states=(np.abs(z-y)>=np.log1p(min_mag)).sum()>.1*n; known=[(c,0) for c in search(y,z,states,alpha,min_mag,m,window,ar)]
    for w in range(1,newest+1):
        if n-w<2*m: break
        for c in search(y[:n-w],z[:n-w],states,max(alpha/newest,1/20001),min_mag,m,window,ar):
            if any(v!=w and abs(c-k)<2*m for k,v in known): continue
            more=sorted(known+[(c,w)])
            if all(abs(b-a)>=np.log1p(min_mag) for a,b in _levels(z,more,window)): known=more
    return [c for c,_ in known]
