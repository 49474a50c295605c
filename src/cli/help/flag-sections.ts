import type { CommandSyntax, Flag } from "../../commands/command.ts";
import type { Row, Section } from "./block.ts";

export function flagSections({ flags }: CommandSyntax): Section[] {
  const isOpposite = oppositesAmong(flags);
  const groups = new Map<string, Row[]>();
  for (const flag of flags) {
    if (flags.some((other) => isOpposite(flag, other))) continue;
    const heading = flag.group ?? "Flags";
    const opposite = flags.find((other) => isOpposite(other, flag));
    groups.set(heading, [...(groups.get(heading) ?? []), flagRow(flag, opposite)]);
  }
  return [...groups].map(([heading, rows]) => ({ heading, rows }));
}

export const OTHER_NETWORKS = "Other networks";

const NETWORKS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["evm", /\bEVM\b/],
  ["solana", /^Solana/],
  ["stellar", /^Stellar/],
];

export function leadingSections(command: CommandSyntax, kind: string): Section[] {
  const sections = flagSections(command);
  const kindOf = ({ heading }: Section) => NETWORKS.find(([, pattern]) => pattern.test(heading))?.[0];
  const kinds = new Set(sections.flatMap((section) => kindOf(section) ?? []));
  const others = [...kinds].filter((other) => kinds.size > 1 && kinds.has(kind) && other !== kind);
  const rows = others.map((other) => ({ term: other, text: `\`--network-type ${other} --help\` shows its flags` }));
  const own = sections.filter((section) => !others.includes(kindOf(section) ?? ""));
  return [...own.map(withoutWaiting), ...(rows.length > 0 ? [{ heading: OTHER_NETWORKS, rows }] : [])];
}

function withoutWaiting({ heading, rows }: Section): Section {
  const [first, ...more] = rows;
  if (first?.term !== "--wait" || more.length === 0) return { heading, rows };
  return { heading, rows: [{ ...first, text: "Wait until it is confirmed (`relayctl help waiting`)" }] };
}

/** Finds `--no-paused` of `--paused`, and `--no-rpc-urls` of `--rpc-url`, where one sends an empty list. */
function oppositesAmong(flags: readonly Flag[]): (negated: Flag, flag: Flag) => boolean {
  const names = flags.map(({ name }) => name);
  return (negated, { name }) =>
    negated.name === `no-${name}` || (negated.name === `no-${name}s` && !names.includes(`${name}s`));
}

function flagRow(flag: Flag, opposite: Flag | undefined): Row {
  const { short, long, takesValue } = flag;
  const names = [short, long, takesValue ? undefined : opposite?.long].filter((name) => name !== undefined);
  const text = textWithChoices(flag);
  const after = opposite ? `; ${opposite.long}: ${uncapitalize(opposite.description)}` : "";
  return { term: names.join(", ") + placeholder(flag), text: text + after };
}

/** Inserts the allowed values after the first words of the text: the flag declares the values, so no text repeats them. */
function textWithChoices({ choices, description }: Flag): string {
  if (!choices) return description;
  const words = choices.join(", ");
  return description.replace(/ \(|[,;] |$/, (next) => (next === " (" ? ` (${words}; ` : ` (${words})${next}`));
}

function uncapitalize(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

/** Returns ` FILE` for `<file>`. */
function placeholder({ flags }: Flag): string {
  const name = /[<[](.+)[>\]]$/.exec(flags)?.[1];
  return name === undefined ? "" : ` ${name.toUpperCase()}`;
}
