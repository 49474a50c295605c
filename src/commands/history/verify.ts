import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { Verification } from "../../journal/journal.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { openWholeHistory } from "./open.ts";

export const historyVerify: CommandFile = {
  summary: "Check that no line of the journal was changed, removed, or added",
  sends: "journal",
  ends: { unmet: "a line was changed, removed, or added" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: ["relayctl history verify", "relayctl history verify -o json", "relayctl history verify --query lines"],
  description:
    "Read the whole journal, compare each line with the digest in the next line and the last line with the kept digest, and report the first line that does not fit. Sends nothing and needs no token.",
  run: runHistoryVerify,
};

async function runHistoryVerify(call: Call): Promise<View> {
  const { path, verify } = await openWholeHistory(call);
  const found = await verify();
  const { lines, files, fault } = found;
  return {
    kind: "facts",
    lines: [
      { label: "journal", value: { text: path } },
      { label: "files", value: { text: String(files) } },
      { label: "lines", value: { text: String(lines) } },
      { label: "result", value: fault ? { text: fault.words, tone: "bad" } : { text: "complete", tone: "good" } },
    ],
    value: { journal: path, files, lines, complete: !fault, fault: fault ? shownFault(fault) : null },
    ...(fault && { failure: createFailure(fault) }),
  };
}

function shownFault({ file, line, what, words }: NonNullable<Verification["fault"]>): JsonObject {
  return { file, line, what, words };
}

function createFailure({ file, words }: NonNullable<Verification["fault"]>): RelayctlError {
  return new RelayctlError("unmet", `the journal is not as it was written: ${file}: ${words}`);
}
