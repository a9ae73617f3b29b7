// SPDX-License-Identifier: Apache-2.0
// The history of a case that can be zoomed (dygraphs), in the place of its drawing: with buttons, or by dragging. The library's legend sets
// styles that the content policy forbids; what is under the pointer is said below instead.
"use strict";
// Of values in nanoseconds, whose largest is MOST: by what they are multiplied to be shown, and the unit that they are then in.
const historyScale = (unit, most) => {
  if (unit !== "ns") return [1, unit];
  return most >= 1e9 ? [1e-9, "s"] : most >= 1e6 ? [1e-6, "ms"] : most >= 1e3 ? [1e-3, "µs"] : [1, "ns"];
};

// RUNS and MARKS are [ms since 1970, value] and [ms since 1970, text]; UNDERLAY(canvas, area, graph) draws below the line. Returns the first button.
const historyChart = (drawing, { unit, runs, marks }, pointSize, underlay = null) => {
  const place = document.createElement("div");
  place.className = "chart";
  // The drawing's words stay: a canvas has none of its own.
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", ["title", "desc"].map((name) => drawing.querySelector(name).textContent).join(": "));
  const said = document.createElement("p");
  said.className = "quiet";
  said.textContent = "Drag to zoom, double-click for all.";
  const buttons = document.createElement("div");
  buttons.className = "tools";
  drawing.replaceWith(place, buttons, said);

  const [factor, shownUnit] = historyScale(unit, Math.max(...runs.map((run) => run[1])));
  const words = (value) => `${Number(value.toPrecision(4))} ${shownUnit}`;
  const style = getComputedStyle(document.documentElement);
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
  const graph = new Dygraph(place, runs.map(([time, value]) => [new Date(time), value * factor]), {
    labels: ["time", "value"],
    colors: [style.getPropertyValue("--before").trim()],
    axisLineColor: style.getPropertyValue("--quiet").trim(),
    gridLineColor: style.getPropertyValue("--line").trim(),
    drawPoints: true,
    pointSize,
    axes: { y: { axisLabelWidth: 80, axisLabelFormatter: words } },
    highlightCallback: (_, time, points) => { said.textContent = `${new Date(time).toISOString()}: ${words(points[0].yval)}`; },
    underlayCallback: underlay,
  });
  graph.ready(() => graph.setAnnotations(marks.map(([time, text], i) => ({
    series: "value", x: time, shortText: String(i + 1), text, attachAtBottom: true,
  }))));

  // Inside what there are runs of.
  const show = (times, shift) => {
    const [first, last] = graph.xAxisExtremes();
    const [from, to] = graph.xAxisRange();
    const width = Math.min((to - from) * times, last - first);
    const middle = (from + to) / 2 + (to - from) * shift;
    const begin = Math.min(Math.max(middle - width / 2, first), last - width);
    graph.updateOptions({ dateWindow: [begin, begin + width] });
  };
  for (const [text, times, shift] of [["Zoom in", 0.5, 0], ["Zoom out", 2, 0], ["Earlier", 1, -0.5], ["Later", 1, 0.5]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => show(times, shift));
    buttons.appendChild(button);
  }
  return buttons.firstChild;
};
