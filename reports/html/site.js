// SPDX-License-Identifier: Apache-2.0
// The pages of a site: hover that is linked over the small multiples of a suite, and the zoomable history of a case.
"use strict";
(() => {
  const data = document.getElementById("series");
  if (!data) return;
  const series = JSON.parse(data.textContent);
  const scale = (unit, most) => {
    if (unit !== "ns") return [1, unit];
    return most >= 1e9 ? [1e-9, "s"] : most >= 1e6 ? [1e-6, "ms"] : most >= 1e3 ? [1e-3, "µs"] : [1, "ns"];
  };
  const words = (value, unit) => {
    const [factor, name] = scale(unit, value);
    return `${Number((value * factor).toPrecision(4))} ${name}`;
  };

  const multiples = [...document.querySelectorAll("svg.multiple")];
  if (multiples.length > 0) {
    const when = document.getElementById("when");
    const asBefore = when.textContent;
    const values = multiples.map((svg) => svg.closest("figure").querySelector(".value"));
    const newest = values.map((value) => value.textContent);
    const nearest = (runs, time) => {
      let low = 0;
      let high = runs.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (runs[middle][0] < time) low = middle + 1;
        else high = middle;
      }
      return low > 0 && time - runs[low - 1][0] < runs[low][0] - time ? low - 1 : low;
    };
    const show = (time) => {
      when.textContent = new Date(time).toISOString();
      multiples.forEach((svg, i) => {
        const { runs, unit } = series[i];
        const at = nearest(runs, time);
        const x = 4 + (at / (runs.length - 1)) * 312;
        svg.querySelector(".cursor").setAttribute("d", `M${x.toFixed(1)} 0V90`);
        values[i].textContent = words(runs[at][1], unit);
      });
    };
    multiples.forEach((svg, i) => {
      svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const share = ((event.clientX - box.left) / box.width) * 320;
        const { runs } = series[i];
        const at = Math.round(((share - 4) / 312) * (runs.length - 1));
        show(runs[Math.min(Math.max(at, 0), runs.length - 1)][0]);
      });
      svg.addEventListener("pointerleave", () => {
        when.textContent = asBefore;
        multiples.forEach((other, k) => {
          other.querySelector(".cursor").setAttribute("d", "");
          values[k].textContent = newest[k];
        });
      });
    });
    return;
  }

  const figure = document.getElementById("history");
  const drawing = figure && figure.querySelector("svg");
  if (!drawing) return;
  const place = document.createElement("div");
  place.className = "chart";
  const said = document.createElement("p");
  said.className = "quiet";
  said.textContent = "Drag to zoom, double-click for all.";
  drawing.replaceWith(place, said);
  const [factor, unit] = scale(series.unit, Math.max(...series.runs.map((run) => run[1])));
  const style = getComputedStyle(document.documentElement);
  // The library's legend sets styles that the content policy forbids.
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
  const text = (value) => `${Number(value.toPrecision(4))} ${unit}`;
  const graph = new Dygraph(place, series.runs.map(([time, value]) => [new Date(time), value * factor]), {
    labels: ["time", "value"],
    colors: [style.getPropertyValue("--before").trim()],
    axisLineColor: style.getPropertyValue("--quiet").trim(),
    gridLineColor: style.getPropertyValue("--line").trim(),
    drawPoints: true,
    pointSize: 1.5,
    axes: { y: { axisLabelWidth: 80, axisLabelFormatter: text } },
    highlightCallback: (_, time, points) => { said.textContent = `${new Date(time).toISOString()}: ${text(points[0].yval)}`; },
  });
  graph.ready(() => graph.setAnnotations(series.marks.map(([time, mark], i) => ({
    series: "value", x: time, shortText: String(i + 1), text: mark, attachAtBottom: true,
  }))));
})();
