import { type Completed, runAll } from "../client/bulk/run-all.ts";
import type { Client } from "../client/client.ts";
import { idProblem, isUuid } from "../contract/id.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { type Failure, interruptedError, RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Hit } from "./view.ts";

export interface SearchTerm {
  form: "hash" | "address" | "uuid" | "nonce" | "word";
  /** As typed, but hexadecimal digits in lowercase. */
  text: string;
}

const FORMS: readonly [SearchTerm["form"], { test(text: string): boolean }][] = [
  ["hash", /^(?:0x)?[0-9a-f]{64}$/i],
  ["address", /^0x[0-9a-f]{40}$/i],
  ["uuid", { test: isUuid }],
  ["nonce", /^[0-9]+$/],
  // Stellar, then Solana: signatures have 86 to 88 characters, addresses 43 or 44.
  ["address", /^G[A-Z2-7]{55}$/],
  ["hash", /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
  ["address", /^[1-9A-HJ-NP-Za-km-z]{43,44}$/],
];

const HEXADECIMAL = /^(?:0x)?[0-9a-f-]{36,}$/i;

export function parseSearchTerm(text: string): SearchTerm {
  const form = FORMS.find(([, pattern]) => pattern.test(text))?.[0] ?? "word";
  return { form, text: normalizeSearchTerm(text) };
}

/** Returns whether an ID or a name is meant by a part, unless it is digits, which most names contain. */
export function isSearchedName({ form, text }: SearchTerm, ...names: readonly unknown[]): boolean {
  const wanted = text.toLowerCase();
  return names.some((name) => {
    const shown = typeof name === "string" ? name.toLowerCase() : "";
    return form === "nonce" ? shown === wanted : shown.includes(wanted);
  });
}

export function hasSearchedAddress({ text }: SearchTerm, { address }: Relayer): boolean {
  return typeof address === "string" && normalizeSearchTerm(address) === text;
}

export function hasSearchedHash({ text }: SearchTerm, { hash, signature }: Transaction): boolean {
  return [hash, signature].some((each) => typeof each === "string" && normalizeSearchTerm(each) === text);
}

/** Returns a text with hexadecimal digits in lowercase; other texts are case-sensitive. */
export function normalizeSearchTerm(text: string): string {
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text;
}

const AT_ONCE = 8;

export interface Search {
  session: Session;
  client: Client;
  thing: SearchTerm;
  interrupt: AbortSignal;
  hits: Hit[];
  parts: Completed<true>[];
}

/** Failures that end the whole search: every other part would fail too. */
const ENDS: readonly Failure[] = ["auth", "interrupted"];

/** Searches one part, whose failure hides no other. @throws RelayctlError auth; interrupted */
export async function searchPart<T>({ parts }: Search, id: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await read();
    parts.push({ id, value: true });
    return value;
  } catch (error) {
    if (!(error instanceof RelayctlError) || ENDS.includes(error.failure)) throw error;
    parts.push({ id, error });
    return undefined;
  }
}

/** Searches relayers, several at a time. @param isOver called before each relayer: whether the rest needs no search */
export async function searchRelayers(
  search: Search,
  relayers: readonly Relayer[],
  read: (relayer: Relayer) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const jobs = relayers.map((relayer) => ({
    id: relayer.id,
    run: async () => {
      if (isOver()) return;
      await searchPart(search, relayer.id, async () => {
        const problem = idProblem(relayer.id);
        if (problem !== undefined) throw new RelayctlError("server", `the relayer's ID ${problem}`);
        await read(relayer);
      });
    },
  }));
  const { interrupt } = search;
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  const stopped = completed.find(({ error }) => error)?.error;
  if (stopped ?? interrupt.aborted) throw stopped ?? interruptedError(" while searching");
}
