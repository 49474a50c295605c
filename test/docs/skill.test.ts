import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Block, Row } from "../../src/cli/help/block.ts";
import { agentsPage } from "../../src/cli/help/topics/agents.ts";
import { CommandSyntax } from "../../src/commands/command.ts";
import { cli, exits } from "../helpers/cli.ts";
import { ROOT } from "./documents.ts";

/** A rule of thumb: no tokenizer is installed, and they differ. */
const tokens = (text: string) => Math.ceil(text.length / 3.5);

const HEAD = `---
name: relayctl
description: Read the state of OpenZeppelin Relayers with the relayctl command line, find what is stuck and why, and propose writes that a user approves. Use it for relayers, their transactions, balances, nonces, and webhooks.
---

# relayctl
`;

function sectionText(rows: readonly Row[]): string {
  const isPlain = rows.every(({ term }) => term === rows[0]?.term);
  return rows
    .map(({ term, text }) => (isPlain ? `- ${term} ${text}` : `- \`${term.replaceAll(/ +/g, " ")}\`: ${text}`))
    .join("\n");
}

function markdownOf(block: Block): string {
  if (block.kind === "text") return block.text;
  if (block.kind !== "sections") throw new Error(`no Markdown for ${block.kind}`);
  return block.sections.map(({ heading, rows }) => `## ${heading}\n\n${sectionText(rows)}`).join("\n\n");
}

test("SKILL.md is the page of help for agents (npm run skill writes it)", async () => {
  const blocks = await agentsPage(new CommandSyntax("relayctl"));
  await expect(`${[HEAD.trimEnd(), ...blocks.map(markdownOf)].join("\n\n")}\n`).toMatchFileSnapshot(
    join(ROOT, "SKILL.md"),
  );
});

test("both take at most 1,500 tokens", async () => {
  const { stdout } = await cli("help agents");
  expect(tokens(stdout)).toBeLessThanOrEqual(1_500);
  expect(tokens(readFileSync(join(ROOT, "SKILL.md"), "utf8"))).toBeLessThanOrEqual(1_500);
});

test("each command on the page exists", async () => {
  const page = readFileSync(join(ROOT, "SKILL.md"), "utf8");
  const commands = [...page.matchAll(/^- `([a-z][a-z ]*)/gm)].map(([, words = ""]) => words.trim().split(" "));
  expect(commands.length).toBeGreaterThan(12);
  for (const [first = "", second = ""] of commands) {
    if (first === "export" || first === "help") continue;
    await exits(0, ["help", first, ...(["tx", "history", "proposals"].includes(first) ? [second] : [])]);
  }
});
