import type { JournalFacts, LocalFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { type Place, remedyFor } from "../remedies.ts";

/** Only files of the user are here, so that the user can change their modes. */
export function checkOpenFiles({ open }: LocalFacts): Found[] {
  return open.map(({ path, what, isSecret, others }) => ({
    message: `other users can ${others} ${what}`,
    remedy: {
      program: "chmod",
      argv: [isSecret ? "600" : "go-w", ...(path.startsWith("-") ? ["--"] : []), path],
      isComplete: true,
    },
  }));
}

/** The days on which versions of Node.js get their last fixes, by their first number. */
const LAST_FIXES: Readonly<Record<string, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};

export function checkOldNode({ nodeVersion = "" }: LocalFacts, { now }: Pick<Place, "now">): Found | undefined {
  const [major = ""] = nodeVersion.split(".");
  const last = LAST_FIXES[major];
  const today = new Date(now).toISOString().slice(0, "2026-04-30".length);
  if (last === undefined || last > today) return undefined;
  const newer = Object.keys(LAST_FIXES).find((each) => Number(each) % 2 === 0 && (LAST_FIXES[each] ?? "") > today);
  return {
    message: `Node.js ${nodeVersion} has had no security fixes since ${last}`,
    advice: `Update to Node.js ${newer ?? "of a newer version"}${newer === undefined ? "" : " or later"}.`,
  };
}

export function checkChangedJournal({ fault }: JournalFacts): Found | undefined {
  if (fault === undefined) return undefined;
  return { message: `the journal is not as it was written: ${fault}`, advice: "Find out who can write to its folder." };
}

export function checkUnsettledWrites({ unsettled, leftRaised }: JournalFacts, place: Pick<Place, "flags">): Found[] {
  const many = unsettled === 1 ? "1 write is" : `${unsettled} writes are`;
  const writes = unsettled === 0 ? [] : [`${many} not settled: the outcome is unknown`];
  return [...writes, ...leftRaised].map((message) => ({ message, remedy: remedyFor(place, "history", "settle") }));
}
