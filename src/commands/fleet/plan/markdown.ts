import { groupDigits } from "../../../contract/decimal.ts";
import {
  type Plan,
  type PlannedChange,
  type PlannedMember,
  type PlannedResource,
  planByResource,
  planCountTexts,
  planHasDifferences,
  plannedNoun,
  planSummary,
} from "../../../fleet/plan.ts";
import { escapeText } from "../../../terminal/escape.ts";
import { type ChangeContext, relayerChangeText } from "../../relayers/change/change-text.ts";
import { concernsMember, maskHiddenUrls, type PlanUnits, planChangeContext, planNoteTexts } from "./lines.ts";

/** Returns a text as code in a table's row, which can neither end the cell nor mention a user. */
export function tableCode(text: string): string {
  const shown = escapeText(text);
  if (shown.trim() === "") return "–";
  return /^[^`|\\]+$/.test(shown) && shown.trim() === shown ? `\`${shown}\`` : markdownHtmlCode(shown);
}

export function markdownHtmlCode(text: string): string {
  const escaped = escapeText(text).replace(/[^A-Za-z0-9 ,-]/gu, (character) => `&#${character.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** Returns a sentence unchanged if Markdown and GitHub have no meaning for it, otherwise as code. */
export function markdownText(text: string): string {
  const isPlain = /^[A-Za-z0-9 ,.;:()'%→_-]+$/.test(text) && !MEANING.test(text);
  return isPlain ? text : tableCode(text);
}

/** An underscore that is not inside a word, a host name, an issue, and a name of an emoji. */
const MEANING = /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|www\.|GH-|:[\w+-]+:/i;

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [markdownRow(header), markdownRow(header.map(() => "---")), ...rows.map(markdownRow)].join("");
}

function markdownDetails(summary: string, content: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${summary}</summary>\n\n${content}\n</details>\n\n`;
}

const LONGEST = 65_536;
const RESERVED = 1_000;
const MOST_ENTRIES = 50;
const LONGEST_VALUE = 1_000;
const MOST_OPEN = 10;

const SIGNS: Readonly<Record<PlannedChange["action"], string>> = { create: "+", update: "~", delete: "-" };

/** Returns a table for each resource, within GitHub's limit. Foreign texts are code. */
export function planMarkdown(plan: Plan, units: PlanUnits): string {
  const head = `### ${planHasDifferences(plan) ? planSummary(plan) : "No changes"}\n\n${comparedText(plan)}\n\n`;
  const parts = [...resourceParts(plan, units), ...restParts(plan)];
  let [text, shown] = [head, 0];
  for (const part of parts) {
    if (text.length + part.length > LONGEST - RESERVED) break;
    text += part;
    shown++;
  }
  const left = parts.length - shown;
  return left === 0
    ? text
    : `${text}**${groupDigits(left)} of ${groupDigits(parts.length)} parts were left out, since GitHub limits the length of a comment.**\n`;
}

function comparedText(plan: Plan): string {
  const files = plan.files.map(tableCode).join(", ");
  const compared = `Compared ${files} with ${tableCode(plan.server)}.`;
  const same = planHasDifferences(plan) ? [] : [`${groupDigits(plan.same)} unchanged.`];
  return [compared, ...same, ...planCountTexts(plan).map((text) => `${text}.`)].join(" ");
}

function resourceParts(plan: Plan, units: PlanUnits): string[] {
  const cannot = planByResource(plan.cannot);
  const isOpen = plan.changes.length + cannot.length <= MOST_OPEN;
  return [
    ...plan.changes.map((change) => {
      const notes = planNoteTexts(change).map((text) => `- ${markdownText(text)}\n`);
      const context = planChangeContext(change, units, change.body);
      const content = `${memberTable(change.members, change.action, context)}${notes.length > 0 ? "\n" : ""}${notes.join("")}`;
      return markdownDetails(resourceHead(SIGNS[change.action], change, ACTIONS[change.action]), content, isOpen);
    }),
    ...cannot.map((members) => {
      const context = planChangeContext(members[0], units, {});
      const reasons = new Set(
        members.map(({ reason, at }) => `- ${markdownText(reason)}${at === undefined ? "" : ` at ${tableCode(at)}`}\n`),
      );
      const content = `${members.some(concernsMember) ? memberTable(members.filter(concernsMember), "update", context) : ""}\n${[...reasons].join("")}`;
      return markdownDetails(resourceHead("✗", members[0], "cannot be changed"), content, isOpen);
    }),
  ];
}

const ACTIONS: Readonly<Record<PlannedChange["action"], string>> = {
  create: "to create",
  update: "to change",
  delete: "to delete",
};

function resourceHead(sign: string, resource: PlannedResource, words: string): string {
  return `<b>${sign} ${plannedNoun(resource)} ${markdownHtmlCode(resource.id)}</b> ${words}`;
}

function memberTable(members: readonly PlannedMember[], action: PlannedChange["action"], context: ChangeContext) {
  if (members.length === 0) return "Not in the files.\n";
  const header = action === "create" ? ["Field", "File"] : ["Field", "Service", "File"];
  return markdownTable(
    header,
    members.map(({ path, before, after }) => {
      const text = relayerChangeText({ path, requested: maskHiddenUrls(after), was: before }, context);
      const was = tableCell(
        text.before,
        text.entries.filter((entry) => !entry.startsWith("+ ")),
      );
      const now = tableCell(
        text.after,
        text.entries.filter((entry) => entry.startsWith("+ ")),
      );
      return action === "create" ? [tableCode(text.label), now] : [tableCode(text.label), was, now];
    }),
  );
}

function tableCell(value: string, entries: readonly string[]): string {
  const left = entries.length - MOST_ENTRIES;
  const more = left > 0 ? [`… ${groupDigits(left)} more`] : [];
  return [shortenText(value), ...entries.slice(0, MOST_ENTRIES).map(shortenText), ...more].join("<br>");
}

function shortenText(text: string): string {
  return tableCode(text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);
}

function restParts({ not_compared, outside, unmanaged }: Plan): string[] {
  const rest = [
    { title: "Not compared", parts: not_compared },
    { title: "Outside of the API", parts: outside },
    { title: "Not in the files", parts: unmanaged.map((part) => ({ ...part, path: undefined, reason: undefined })) },
  ];
  return rest.flatMap(({ title, parts }) => {
    if (parts.length === 0) return [];
    const rows = parts.map((part) => [
      `${plannedNoun(part)} ${tableCode(part.id)}`,
      ...(part.reason === undefined
        ? []
        : [part.path === undefined ? "–" : tableCode(part.path), markdownText(part.reason)]),
    ]);
    const header = parts[0]?.reason === undefined ? ["Resource"] : ["Resource", "Field", "Reason"];
    const shown = rows.slice(0, MOST_ENTRIES);
    const left = rows.length - shown.length;
    const more = left > 0 ? markdownRow([`… ${groupDigits(left)} more`, ...header.slice(1).map(() => "")]) : "";
    return markdownDetails(`${title}: ${groupDigits(parts.length)}`, markdownTable(header, shown) + more, false);
  });
}
