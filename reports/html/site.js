// SPDX-License-Identifier: Apache-2.0
// The pages of a site: hover that is linked over the small multiples of a suite, and the history of a case (chart.js).
"use strict";
(() => {
  const data = document.getElementById("series");
  if (!data) return;
  const series = JSON.parse(data.textContent);
  const words = (value, unit) => {
    const [factor, name] = historyScale(unit, value);
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
    const ends = (runs) => [runs[0][0], runs[runs.length - 1][0]];
    // As the drawing was made: true to time, or equal steps where all runs have one time.
    const share = (runs, at) => {
      const [first, last] = ends(runs);
      return last > first ? (runs[at][0] - first) / (last - first) : at / (runs.length - 1);
    };
    const show = (time) => {
      when.textContent = new Date(time).toISOString();
      multiples.forEach((svg, i) => {
        const { runs, unit } = series[i];
        const at = nearest(runs, time);
        const x = 4 + share(runs, at) * 312;
        svg.querySelector(".cursor").setAttribute("d", `M${x.toFixed(1)} 0V90`);
        values[i].textContent = words(runs[at][1], unit);
      });
    };
    multiples.forEach((svg, i) => {
      svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const { runs } = series[i];
        const [first, last] = ends(runs);
        const pointed = (((event.clientX - box.left) / box.width) * 320 - 4) / 312;
        show(runs[nearest(runs, first + pointed * (last - first))][0]);
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
  // Waivers as bands, changes and marks as lines, as in the drawing.
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const underlay = (canvas, area, graph) => {
    const clamped = (time) => Math.min(Math.max(graph.toDomXCoord(time), area.x), area.x + area.w);
    canvas.save();
    canvas.globalAlpha = 0.15;
    canvas.fillStyle = colour("--warn");
    for (const [from, until] of series.bands) canvas.fillRect(clamped(from), area.y, clamped(until) - clamped(from), area.h);
    canvas.globalAlpha = 1;
    for (const [time, kind] of series.marks) {
      const x = graph.toDomXCoord(time);
      if (x < area.x || x > area.x + area.w) continue;
      canvas.strokeStyle = colour(kind === "change" ? "--after" : "--quiet");
      canvas.setLineDash(kind === "change" ? [3, 3] : [1, 3]);
      canvas.beginPath();
      canvas.moveTo(x, area.y);
      canvas.lineTo(x, area.y + area.h);
      canvas.stroke();
    }
    canvas.restore();
  };

  // The drawing has the links of the commits; the chart takes its place for as long as it is asked for.
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Zoom";
  button.setAttribute("aria-pressed", "false");
  let chart = null;
  button.addEventListener("click", () => {
    const zoom = drawing.isConnected;
    button.setAttribute("aria-pressed", String(zoom));
    if (!zoom) {
      chart.replaceWith(drawing);
    } else if (chart) {
      drawing.replaceWith(chart);
    } else {
      chart = document.createElement("div");
      drawing.replaceWith(chart);
      const replaced = drawing.cloneNode(true);
      chart.append(replaced);
      const marks = series.marks.map(([time, , text]) => [time, text]);
      historyChart(replaced, { ...series, marks }, 1.5, underlay);
    }
  });
  figure.append(button);
})();
