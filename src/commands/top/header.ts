import { timeText } from "../../command-support/live.ts";
import { priceText } from "../../contract/amount.ts";
import { grouped } from "../../contract/decimal.ts";
import { STATES, stateOf } from "../../relayer-state/state.ts";
import { visible } from "../../terminal/escape.ts";
import { SIGNS } from "../../terminal/signs.ts";
import type { Style } from "../../terminal/style.ts";
import { durationText, trendText } from "../../terminal/text/duration.ts";
import type { Tone } from "../../terminal/view.ts";
import { textWidth } from "../../terminal/width.ts";
import type { Source, TopState } from "./state.ts";

const LOOKS: Readonly<Record<string, { sign: string; tone: Tone }>> = {
  disabled: { sign: SIGNS.bad, tone: "bad" },
  paused: { sign: SIGNS.paused, tone: "warn" },
  active: { sign: SIGNS.active, tone: "good" },
};
const MOST_NETWORKS = 4;

interface Part {
  plain: string;
  drawn: string;
}

/** Returns the first row: contexts, counts, what is wrong, base fees, and when the service last responded. */
export function headerLine(state: TopState, style: Style): string {
  const { sources, columns } = state;
  const names = sources.map((source) => namePart(source, style));
  const readAt = Math.max(0, ...sources.map(({ readAt }) => readAt));
  const clock = readAt === 0 ? "" : timeText(readAt);
  const parts: Part[] = [
    join(names, "  "),
    countsPart(state, style),
    ...troubleParts(state, style),
    ...feeParts(state),
  ];
  const kept: Part[] = [];
  let left = columns - textWidth(clock);
  for (const part of parts) {
    const width = textWidth(part.plain) + GAP.length;
    if (kept.length > 0 && width > left) break;
    kept.push(part);
    left -= width;
  }
  const { plain, drawn } = join(kept, GAP);
  return `${drawn}${" ".repeat(Math.max(1, columns - textWidth(plain) - textWidth(clock)))}${style.faint(clock)}`;
}

const GAP = "   ";

function join(parts: readonly Part[], gap: string): Part {
  return { plain: parts.map(({ plain }) => plain).join(gap), drawn: parts.map(({ drawn }) => drawn).join(gap) };
}

function namePart({ name, isProtected }: Source, style: Style): Part {
  const shown = visible(name);
  if (!isProtected) return { plain: shown, drawn: style.strong(shown) };
  return { plain: `${shown} PROTECTED`, drawn: `${style.inverse(shown)} ${style.inverse("PROTECTED")}` };
}

function countsPart({ sources }: TopState, style: Style): Part {
  const rows = sources.flatMap(({ seen }) => seen.found);
  const total = `${grouped(rows.length)} ${rows.length === 1 ? "relayer" : "relayers"}`;
  const counts = STATES.flatMap((name) => {
    const count = rows.filter(({ relayer }) => stateOf(relayer) === name).length;
    const look = LOOKS[name];
    if (count === 0 || !look) return [];
    const text = `${grouped(count)} ${look.sign}`;
    return { plain: text, drawn: style.cell({ text, tone: look.tone }) };
  });
  return join([{ plain: total, drawn: total }, ...counts], "  ");
}

function troubleParts({ sources, now }: TopState, style: Style): Part[] {
  return sources.flatMap(({ name, trouble, slower }) => {
    const where = sources.length > 1 ? `${name}: ` : "";
    const away = trouble && `${where}no response since ${timeText(trouble.since)}: ${trouble.message}`;
    const slow = slower === undefined ? undefined : `${where}too many requests, slower: every ${durationText(slower)}`;
    return [slow ?? away].flatMap((text) => {
      if (text === undefined || now === 0) return [];
      const plain = visible(text);
      return { plain, drawn: style.cell({ text: plain, tone: "bad" }) };
    });
  });
}

function feeParts({ sources }: TopState): Part[] {
  const several = sources.length > 1;
  const all = sources.flatMap(({ name, fees }) =>
    [...fees].flatMap(([network, samples]) => {
      const last = samples.at(-1);
      if (last === undefined) return [];
      const where = several ? `${name}/${network}` : network;
      const plain = `${visible(where)} ${priceText(last)} ${samples.length > 1 ? trendText(samples.map(Number)) : ""}`;
      return { plain: plain.trimEnd(), drawn: plain.trimEnd() };
    }),
  );
  return all.slice(0, MOST_NETWORKS);
}
