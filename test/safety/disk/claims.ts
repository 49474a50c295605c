import { isJsonObject, type JsonValue, parseJson } from "../../../src/contract/json.ts";
import { type Entry, type RecordedWrite, walkWrites } from "../../../src/journal/journal.ts";
import type { Accepted, Ended, Life } from "./real-files.ts";

/** What every end of a command must agree with, whatever the disk did. */
export async function falseStatements(life: Life, ended: Ended, journal = "journal"): Promise<string[]> {
  const { exitCode, stdout, stderr, accepted } = ended;
  const said = stdout + stderr;
  return [
    ...(exitCode === 1 || /a bug in relayctl/.test(said) ? [`exit ${exitCode}: ${said.slice(0, 300)}`] : []),
    ...(exitCode >= 2 && exitCode <= 10 && accepted.length > 0 ? [`exit ${exitCode}, and it was applied`] : []),
    ...(/nothing was (?:sent|applied)(?! now)/.test(stderr) && accepted.length > 0
      ? ["says that nothing was sent, and it was"]
      : []),
    ...accepted
      .filter(({ id }) => !said.includes(id))
      .map(({ id }) => `accepted ${id} without a word, exit ${exitCode}: ${stderr}`),
    ...(await lostEntries(life, ended.acknowledged, journal)),
    ...(await unrecorded(life, ended, journal)),
  ];
}

/** Returns the entries that a journal acknowledged, and does not have. */
async function lostEntries(life: Life, acknowledged: readonly Entry[], journal: string): Promise<string[]> {
  const kept = new Set<string>();
  for await (const entry of life.journal(journal).newestFirst()) kept.add(nameOf(entry));
  return acknowledged.filter((entry) => !kept.has(nameOf(entry))).map((entry) => `lost: ${nameOf(entry)}`);
}

function nameOf({ type, id, ...entry }: Entry): string {
  return `${type} ${id} ${"applied" in entry ? entry.applied : ""}`;
}

/** The command warns about a write without an intent. */
async function unrecorded(life: Life, { accepted, stderr }: Ended, journal: string): Promise<string[]> {
  const writes: RecordedWrite[] = [];
  for await (const write of walkWrites(life.journal(journal))) writes.push(write);
  const missing = accepted.filter(({ request, id }) => {
    const own = writes.filter(({ intent }) => intent.method === request.method && intent.target === request.target);
    return !own.some(
      ({ intent, outcome }) => outcome?.after?.id === id || !outcome || isSame(intent.body, request.body),
    );
  });
  return /^warning: this write is not recorded/m.test(stderr) ? [] : missing.map(({ id }) => `no intent of ${id}`);
}

function isSame(body: JsonValue | undefined, sent: string | undefined): boolean {
  if (!sent) return body === undefined;
  const value = parseJson(sent);
  return isJsonObject(value) && isJsonObject(body) && JSON.stringify(body) === JSON.stringify(value);
}

export function isSend({ request: { method, target } }: Accepted): boolean {
  return method === "POST" && target.endsWith("/transactions");
}
