import { EXIT_CODES, type Failure, RelayctlError } from "../../../errors.ts";
import { helpText, type Row, type TopicPage } from "../block.ts";

type End = Failure | "ok";

/** When each code is used (promises 4.2). */
const WHEN: Record<End, string> = {
  ok: "Success, no change needed, or an empty list",
  usage: "A flag, an argument, a file, or the config is invalid; checked before anything is sent",
  declined: "The user declined, or confirmation is required and no terminal is attached",
  auth: "No token, or the service rejected the token, or a gateway the request",
  not_found: "The resource or the context was not found",
  conflict: "The ID is in use, the relayer is paused or disabled, the state is wrong, or the resource is in use",
  rejected: "The service rejected the request, a call would revert, or the server is not a relayer service",
  rate_limited: "Too many requests, after all attempts",
  server: "The service failed at a read, or its response cannot be read",
  network: "No connection, or a timeout before anything was sent or at a read",
  unmet: "A wait or check condition was not met",
  changes: "Differences were found, and the command was run to report differences",
  internal: "A bug in relayctl",
  unknown: "A write was sent, and no response arrived that can be trusted",
  partial: "Some of several targets failed",
  mismatch: "The response reports success, but differs from the request, or the chain from the record",
  pending: "Still in progress, or not settled, when the time ran out",
  io: "The result or the journal could not be written, e.g. because the disk is full",
  interrupted: "Ctrl-C",
  terminated: "SIGTERM",
  hung_up: "SIGHUP: the terminal or the SSH connection closed",
};

/** Each code's promise; a missing failure promises nothing. */
const UNCHANGED: readonly Failure[] = [
  "usage",
  "declined",
  "auth",
  "not_found",
  "conflict",
  "rejected",
  "rate_limited",
  "server",
  "network",
  "changes",
];

export const exitCodesPage: TopicPage = () => {
  const failures = Object.keys(EXIT_CODES) as Failure[];
  const open = failures.filter((failure) => !UNCHANGED.includes(failure));
  return [
    helpText("The exit code shows what to do next. Each command's help lists its own codes."),
    {
      kind: "sections",
      sections: [
        { heading: "Success", rows: [codeRow("ok", 0)] },
        { heading: "Nothing was applied", rows: UNCHANGED.map(failureRow) },
        { heading: "Check before you send the request again", rows: open.map(failureRow) },
      ],
      apart: true,
    },
    helpText(
      "With -o json, the last line of stderr is one JSON object: error.code is the word above; error.applied is no, yes, " +
        "or unknown; error.retryable shows whether the same command may work later; error.hint is the next command to run.",
    ),
    { kind: "code", heading: "In a script", lines: SCRIPT.split("\n") },
  ];
};

const SCRIPT = `relayctl relayers pause eth-main-1
case $? in
  0) ;;
  8 | 9 | 10) echo 'not applied; try later' ;;
  11) relayctl relayers get eth-main-1 ;;
  *) exit 1 ;;
esac`;

function failureRow(failure: Failure): Row {
  const { text, term } = codeRow(failure, EXIT_CODES[failure]);
  return { term, text: new RelayctlError(failure, "").retryable ? `${text} (may work later)` : text };
}

function codeRow(end: End, code: number): Row {
  return { term: `${String(code).padEnd(3)}  ${end}`, text: WHEN[end] };
}
