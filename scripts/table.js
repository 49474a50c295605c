/** A Markdown table. */
export function table(header, rows) {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")));
  const ruler = header.map(() => "---");
  return [header, ruler, ...escaped].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
