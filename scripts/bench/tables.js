import { table } from "../table.js";
import { median } from "./statistics.js";
import { verdict } from "./verdict.js";
import { count } from "./words.js";

/** The budgets as a Markdown table: what was to be had, and what was measured. */
export function budgetTable(rows) {
  const cells = rows.map((row) => {
    const reach = row.reach === undefined ? "" : `${row.reach}${unitOf(row)}`;
    return [row.what, budgetOf(row), reach, figure(row), verdict(row)];
  });
  return table(["What", "Must", "Reach", "Measured", "Verdict"], cells);
}

/** Every line that was run, as a Markdown table with its medians. */
export function runTable(runs) {
  const cells = runs.map(({ line, times, failure }) => [
    `\`${line}\``,
    failure === undefined ? String(times.length) : failure.split("\n")[0],
    timeText(times.map(({ wall }) => wall)),
    timeText(times.map(({ cpu }) => cpu)),
  ]);
  return table(["Line", "Rounds", "Wall", "CPU"], cells);
}

function budgetOf(row) {
  if (row.atMost !== undefined) return `≤ ${row.atMost}${unitOf(row)}`;
  return row.atLeast === undefined ? "" : `≥ ${row.atLeast}${unitOf(row)}`;
}

function unitOf({ unit }) {
  return unit ? ` ${unit}` : "";
}

function figure(row) {
  if (row.value === undefined) return "";
  if (row.unit === undefined) return row.value.toFixed(2);
  return `${Number.isInteger(row.value) ? count(row.value) : row.value.toFixed(1)}${unitOf(row)}`;
}

/** The median of some seconds: `38.2 ms`, `2.47 s`. */
function timeText(seconds) {
  if (seconds.length === 0) return "";
  const middle = median(seconds);
  return middle < 1 ? `${(middle * 1000).toFixed(1)} ms` : `${middle.toFixed(2)} s`;
}
