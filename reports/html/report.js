// SPDX-License-Identifier: Apache-2.0
// Filter, sort, pages and zoom of a report. Without it, everything that carries the verdict is on the page already. Text from the report
// is only ever set as textContent.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const table = byId("findings");
  if (!table) return;
  const data = JSON.parse(byId("rows").textContent);
  const pageRows = 100;
  const body = (row) => {
    if (row.body) return row.body;
    row.body = document.createElement("tbody");
    const line = row.body.insertRow();
    line.className = "head";
    row.cells.forEach((text, i) => {
      const cell = line.insertCell();
      cell.dataset.label = data.columns[i];
      if (i === 0) cell.className = "verdict " + row.tone;
      if (i > 1) cell.className = "number";
      if (i === 1) cell.appendChild(document.createElement("code")).textContent = text;
      else cell.textContent = text;
    });
    return row.body;
  };
  const rows = [];
  for (const element of [...table.tBodies]) {
    const { verdict, change, primary } = element.dataset;
    const cells = [...element.rows[0].cells].map((cell) => cell.textContent);
    rows.push({ body: element, cells, verdict, primary: primary === "1", change: change === undefined ? null : Number(change) });
  }
  for (const [verdict, primary, change, ...cells] of data.rows)
    rows.push({ cells: [data.verdicts[verdict].words, ...cells], tone: data.verdicts[verdict].tone, verdict: data.verdicts[verdict].name, primary: primary === 1, change });
  rows.forEach((row, i) => { row.place = i; row.text = row.cells[1].toLowerCase(); });

  const search = byId("search");
  const chosen = byId("verdict");
  const summary = byId("summary");
  const pages = byId("pages");
  let order = null;
  let descending = false;
  let page = 0;
  let shown = rows;

  for (const { name, words } of data.verdicts) {
    const count = rows.filter((row) => row.verdict === name).length;
    if (count === 0) continue;
    const option = document.createElement("option");
    option.value = name;
    option.textContent = `${words} (${count})`;
    chosen.appendChild(option);
  }

  // A number with its unit of time or size, as a number.
  const units = { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9, B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824 };
  const number = (text) => {
    const parts = /^([-+<]?[\d.,]+(?:e[-+]?\d+)?)\s*(\S*)/.exec(text);
    if (!parts) return NaN;
    return Number(parts[1].replace(/[<,]/g, "")) * (units[parts[2]] || 1);
  };
  const key = (row, column) => (column === 4 && row.change !== null ? row.change : column < 2 ? row.cells[column] : number(row.cells[column]));
  const compare = (column) => (a, b) => {
    const left = key(a, column);
    const right = key(b, column);
    if (typeof left === "string") return left < right ? -1 : left > right ? 1 : a.place - b.place;
    if (Number.isNaN(left) || Number.isNaN(right)) return (Number.isNaN(left) ? 1 : 0) - (Number.isNaN(right) ? 1 : 0) || a.place - b.place;
    return left - right || a.place - b.place;
  };

  const describe = () => {
    const counts = new Map();
    let sum = 0;
    let changes = 0;
    for (const row of shown) {
      counts.set(row.verdict, (counts.get(row.verdict) || 0) + 1);
      if (row.primary && row.change !== null && row.change > -1) { sum += Math.log1p(row.change); ++changes; }
    }
    const parts = data.verdicts.filter(({ name }) => counts.has(name)).map(({ name, words }) => `${counts.get(name)} ${words}`);
    const percent = 100 * Math.expm1(sum / changes);
    const mean = changes > 0 ? `; geometric mean of ${changes} changes ${percent > 0 ? "+" : ""}${percent.toFixed(2)} %` : "";
    summary.textContent = `${shown.length} of ${rows.length} rows: ${parts.join(", ") || "none"}${mean}`;
  };

  const draw = () => {
    const last = Math.max(0, Math.ceil(shown.length / pageRows) - 1);
    page = Math.min(page, last);
    for (const element of [...table.tBodies]) element.remove();
    const fragment = document.createDocumentFragment();
    for (const row of shown.slice(page * pageRows, (page + 1) * pageRows)) fragment.appendChild(body(row));
    table.appendChild(fragment);
    pages.hidden = last === 0;
    byId("page").textContent = `page ${page + 1} of ${last + 1}`;
    byId("previous").disabled = page === 0;
    byId("next").disabled = page === last;
  };

  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((row) => (!chosen.value || row.verdict === chosen.value) && words.every((word) => row.text.includes(word)));
    if (order !== null) {
      shown.sort(compare(order));
      if (descending) shown.reverse();
    }
    page = 0;
    describe();
    draw();
  };

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", () => {
      descending = order === column ? !descending : column > 1;
      order = column;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      update();
    });
  });
  search.addEventListener("input", update);
  chosen.addEventListener("change", update);
  byId("previous").addEventListener("click", () => { --page; draw(); });
  byId("next").addEventListener("click", () => { ++page; draw(); });
  byId("expand").addEventListener("click", () => {
    const details = [...table.querySelectorAll("details")];
    const open = details.some((each) => !each.open);
    for (const each of details) each.open = open;
  });
  // A row of the drawing leads to its row of the table: also when that is filtered out or on another page.
  for (const link of document.querySelectorAll(".forest a")) {
    link.addEventListener("click", () => {
      const place = rows.findIndex((row) => row.body && row.body.id === link.hash.slice(1));
      if (place < 0) return;
      search.value = "";
      chosen.value = "";
      order = null;
      for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
      update();
      page = Math.floor(place / pageRows);
      draw();
      const details = rows[place].body.querySelector("details");
      if (details) details.open = true;
    });
  }
  // What fails is on paper, too.
  addEventListener("beforeprint", () => {
    for (const each of table.querySelectorAll("tbody[data-fails] details")) each.open = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      update();
    } else if (event.key === "Escape") {
      // The sentence that focus shows lies over the rows below.
      document.activeElement.closest(".forest li")?.classList.add("closed");
    }
  });
  document.addEventListener("focusout", (event) => event.target.closest(".forest li")?.classList.remove("closed"));
  byId("tools").hidden = false;
  byId("rest").hidden = true;
  describe();
  update();

  // The drawn history gives way to one that can be zoomed (chart.js).
  const histories = JSON.parse(byId("histories").textContent);
  for (const figure of document.querySelectorAll("figure[data-history]")) {
    const zoom = document.createElement("button");
    zoom.type = "button";
    zoom.textContent = "Zoom";
    zoom.setAttribute("aria-label", `Zoom: ${figure.querySelector("title").textContent}`);
    figure.appendChild(zoom);
    zoom.addEventListener("click", () => {
      zoom.remove();
      const { unit, runs, changes } = histories[Number(figure.dataset.history)];
      historyChart(figure.querySelector("svg"), { unit, runs, marks: changes }, 2).focus();
    });
  }
})();
