# SPDX-License-Identifier: Apache-2.0
"""The single statistics that procedure.py is made of. numpy/scipy only. All times are analysed as natural logs."""
import numpy as np
from scipy import stats, special
from functools import lru_cache

def welch(m1,v1,n1,m2,v2,n2):
    """Welch t (group2 - group1). returns t, df, two-sided p"""
    a=v1/n1; b=v2/n2; se=np.sqrt(a+b)
    with np.errstate(all='ignore'):
        t=(m2-m1)/se; df=(a+b)**2/(a*a/(n1-1)+b*b/(n2-1))
    p=2*stats.t.sf(np.abs(t),df)
    return t,df,p

def cohen_d(m1,v1,n1,m2,v2,n2):
    sp=np.sqrt(((n1-1)*v1+(n2-1)*v2)/(n1+n2-2)); return (m2-m1)/sp

@lru_cache(None)
def _mwu_sf(n1,n2):
    """exact null distribution of U (no ties): array cdf[u]=P(U<=u)"""
    N=n1*n2; f=np.zeros(N+1); f[0]=1.0
    # generating function prod_{j=1..n2} (1-x^{n1+j})/(1-x^j)
    for j in range(1,n2+1):
        k=n1+j
        g=f.copy(); g[k:]-=f[:N+1-k] if k<=N else 0
        for i in range(j,N+1): g[i]+=g[i-j]
        f=g
    f/=special.comb(n1+n2,n1,exact=True); return np.cumsum(f)

def mwu_two_sided(a,b):
    """a:(...,n1) b:(...,n2) exact two sided p, and U of b (number of pairs b>a). ties counted 1/2 (rounded conservatively)"""
    n1=a.shape[-1]; n2=b.shape[-1]
    U=(b[...,None,:]>a[...,:,None]).sum((-1,-2))+0.5*(b[...,None,:]==a[...,:,None]).sum((-1,-2))
    lo=np.minimum(U,n1*n2-U); c=_mwu_sf(n1,n2)
    return np.minimum(1,2*c[np.ceil(lo).astype(int)]),U

@lru_cache(None)
def _sr_cdf(n):
    N=n*(n+1)//2; f=np.zeros(N+1); f[0]=1
    for j in range(1,n+1):
        g=f.copy(); g[j:]+=f[:N+1-j]; f=g
    return np.cumsum(f/2.0**n)

def signed_rank(d):
    """exact two-sided Wilcoxon signed rank p. d:(...,n) continuous"""
    n=d.shape[-1]; r=np.argsort(np.argsort(np.abs(d),-1),-1)+1
    W=(r*(d>0)).sum(-1); c=_sr_cdf(n); lo=np.minimum(W,n*(n+1)//2-W)
    return np.minimum(1,2*c[lo]),W

def hl1(d):
    """one-sample Hodges-Lehmann (median of Walsh averages) along last axis"""
    n=d.shape[-1]; i,j=np.triu_indices(n); return np.median((d[...,i]+d[...,j])/2,-1)

def yuen1(d,trim=0.2):
    """one-sample trimmed t: returns tm, se, df"""
    n=d.shape[-1]; g=int(trim*n); s=np.sort(d,-1)
    tm=s[...,g:n-g].mean(-1); w=s.copy(); w[...,:g]=s[...,g:g+1]; w[...,n-g:]=s[...,n-g-1:n-g]
    h=n-2*g; sw=w.var(-1,ddof=1); se=np.sqrt((n-1)*sw/(h*(h-1))); return tm,se,h-1

def bh(p,axis=-1):
    """Benjamini-Hochberg adjusted p"""
    p=np.asarray(p); m=p.shape[axis]; o=np.argsort(p,axis); ps=np.take_along_axis(p,o,axis)
    k=np.arange(1,m+1); q=ps*m/k; q=np.flip(np.minimum.accumulate(np.flip(q,axis),axis),axis)
    out=np.empty_like(q); np.put_along_axis(out,o,np.minimum(q,1),axis); return out

def holm(p,axis=-1):
    p=np.asarray(p); m=p.shape[axis]; o=np.argsort(p,axis); ps=np.take_along_axis(p,o,axis)
    q=np.maximum.accumulate(ps*(m-np.arange(m)),axis); out=np.empty_like(q)
    np.put_along_axis(out,o,np.minimum(q,1),axis); return out

def trigamma_inverse(x):
    y=0.5+1/x
    for _ in range(50):
        tri=special.polygamma(1,y); dif=tri*(1-tri/x)/special.polygamma(2,y); y=y+dif
        if np.max(-dif/y)<1e-8: break
    return y

def limma_shrink(s2,df):
    """Smyth (2004) empirical-Bayes variance shrinkage: returns s2_post, d0, s0^2"""
    s2=np.maximum(s2,1e-12); z=np.log(s2); e=z-special.digamma(df/2)+np.log(df/2)
    em=e.mean(); ev=e.var(ddof=1)-special.polygamma(1,df/2)
    if ev>0:
        d0=2*trigamma_inverse(ev); s02=np.exp(em+special.digamma(d0/2)-np.log(d0/2))
        return (d0*s02+df*s2)/(d0+df), float(d0), float(s02)
    return np.full_like(s2,np.exp(em)), np.inf, float(np.exp(em))
