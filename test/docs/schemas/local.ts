import { NONCE_KINDS } from "../../../src/audit/classify.ts";
import { INCIDENTS } from "../../../src/contract/incident.ts";
import {
  anything,
  closed,
  count,
  digits,
  flag,
  list,
  type Members,
  mapOf,
  open,
  orNull,
  type Schema,
  SEVERITY,
  text,
  texts,
  time,
  word,
} from "./schema.ts";

const APPLIED = ["no", "yes", "unknown"];

const RUN_MEMBERS: Members = {
  run: text("The ID of the run, shared by all writes of one command."),
  time: time("When the write was about to be sent"),
  user: orNull(text("The user of the operating system.")),
  host: orNull(text("The name of the machine.")),
  ci: orNull(text("The CI job.")),
  context: orNull(text("The name of the context.")),
  server: text("The origin of the service."),
  command: text("The command as typed, with secrets masked."),
  reason: orNull(text("The text of --reason.")),
  once: orNull(text("The key of --once.")),
};

const WRITE_MEMBERS: Members = {
  id: text("The ID of the write."),
  ...RUN_MEMBERS,
  operation: text("The operation, e.g. relayers.update."),
  kind: text("The kind of request."),
  method: text("The HTTP method."),
  target: text("The path and the query of the request."),
  relayer_id: orNull(text("The ID of the relayer.")),
  transaction_id: orNull(text("The ID of the transaction, even if the write created it.")),
  ids: mapOf("The IDs in the path of the request, by parameter.", { type: "string" }),
  body: anything(
    "The body, with a salted fingerprint in place of each secret; null if there is none, or it is too long.",
  ),
  before: orNull(open("The resource before the write; null if it was not read.")),
  applied: word("Whether the service applied the write.", APPLIED),
  restored: orNull(flag("Whether a change that is made for a while was undone; null for any other write.")),
  failure: orNull(text("The word for the failure, as in an error.")),
  message: orNull(text("The message of the failure.")),
  status: orNull(count("The HTTP status; null if no response arrived.")),
  after: orNull(open("The members of the response that later commands need; null if there are none.")),
  settled_later: flag("Whether a later command found out the outcome."),
  ended: orNull(time("When the outcome was recorded")),
  ms: orNull(count("The time from the intent to the outcome, in milliseconds.")),
};

export const WRITE = closed("A write in the journal.", WRITE_MEMBERS);
export const SETTLED_WRITE = closed("A write in the journal whose outcome was checked again.", {
  ...WRITE_MEMBERS,
  why: orNull(text("Why the outcome is still unknown; null if it is known now.")),
  next: orNull(text("The command that shows what the write was about; null if there is none.")),
});

export const RUN = closed("A run with its writes.", {
  ...RUN_MEMBERS,
  writes: list(
    "The writes of the run, oldest first.",
    closed("A write of the run.", {
      ...WRITE_MEMBERS,
      next: orNull(text("The command that undoes or follows the write; null if there is none.")),
      cannot_undo: orNull(text("Why the write cannot be undone; null if it can be.")),
    }),
  ),
});

export const COSTS = closed("What the transactions of a relayer cost.", {
  relayer_id: text("The ID of the relayer."),
  network: orNull(text("The name of the network.")),
  coin: orNull(text("The symbol of the network's coin; null if it is unknown.")),
  unit: word("The unit of fees and value.", ["wei"]),
  transactions: count("The number of transactions that are counted."),
  fees: digits("The fees that were paid, in wei."),
  value: digits("The value that was moved, in wei."),
  fees_in_coin: text("The fees in the coin, an exact decimal number."),
  value_in_coin: text("The value in the coin, an exact decimal number."),
  pending: count("The number of transactions that are not counted, since they are in progress."),
  missing: count("The number of transactions that are not counted, since they could not be read."),
  fees_today: digits("The fees that were paid for what was sent since midnight UTC, in wei."),
  value_today: digits("The value of what was sent since midnight UTC, in wei."),
  fees_last_hour: digits("The fees that were paid for what was sent in the last hour, in wei."),
  value_last_hour: digits("The value of what was sent in the last hour, in wei."),
});

const COIN = orNull(text("The coin, with the network if that is a test network; null if it is unknown."));

export const AUDITED_NONCE = closed("What became of a nonce of a relayer. Amounts are in the smallest unit.", {
  nonce: orNull(count("The nonce, on Stellar the sequence number; null on Solana, and if another account has it.")),
  kind: word("What the chain, the service's records, and the journal show of it.", NONCE_KINDS),
  hash: orNull(text("The hash of the transaction that used it; null if there is none, or it cannot be read.")),
  block: orNull(count("The number of its block.")),
  value: orNull(count("The value in the transaction, even if it reverted; on Solana and Stellar what it moved.")),
  fee: orNull(count("The fee that was paid.")),
  to: orNull(text("The receiver; null for a contract creation, and without a single receiver.")),
  label: orNull(text("The label of the receiver.")),
  at: orNull(time("The time of the block")),
  evidence: texts(
    "What shows it: chain, record:ID, journal:ID, presumed, same_intent:NONCE, alike:NONCE, or why it cannot be read.",
  ),
  relayer_id: text("The ID of the relayer."),
  coin: COIN,
  call: orNull(text("What it calls, or the selector of an unknown function; null without a call.")),
});

export const SPEND = closed("What one group of transactions spent. Amounts are in the smallest unit of one coin.", {
  by: orNull(text("The relayer, day, receiver, label, or coin; null for transactions without one.")),
  coin: COIN,
  value: count("What was moved to others."),
  fee: count("The fees, including the fees of reverted transactions."),
  sent: count("The number of mined transactions."),
  failed: count("The number of transactions that failed, and of which nothing was mined."),
  reverted: count("The number of mined transactions that reverted."),
});

export const VERIFICATION = closed("The result of a check of the journal.", {
  journal: text("The path of the journal."),
  files: count("The number of files that were read."),
  lines: count("The number of lines that were read."),
  complete: flag("Whether every line is as it was written."),
  fault: orNull(
    closed("The first line that was changed, removed, or added; null if there is none.", {
      file: text("The name of the file."),
      line: count("The number of the line; 0 if it is about the whole file."),
      what: word("What happened to the line.", ["changed", "removed", "added"]),
      words: text("What is wrong, in words."),
    }),
  ),
});

const LIMITS: Members = {
  max_value: orNull(mapOf("The limits for one transaction in the smallest unit, by coin.", digits("An amount."))),
  max_per_day: orNull(mapOf("The limits for 24 hours in the smallest unit, by coin.", digits("An amount."))),
  allow_to: orNull(texts("The receivers that need no confirmation; null for any.")),
  approvers: orNull(texts("Who signs what moves money or loosens a limit; null if nobody has to.")),
  approvals: orNull(count("The number of people who must sign.")),
};
const TOKENS = mapOf(
  "The ERC-20 tokens whose balances can be read, by name.",
  closed("A token, on one network or more.", {
    decimals: count("The decimals, which are the same on all of its networks."),
    addresses: mapOf("The addresses, by network.", text("An address.")),
  }),
);
const JOURNAL = orNull(
  word("Whether writes that the journal cannot record are refused; null if they are sent.", ["required"]),
);

export const CONTEXT = closed("A stored context. A token is never shown.", {
  name: text("The name."),
  current: flag("Whether it is the current context."),
  server: text("The origin of the service."),
  token: word("Where the token comes from.", ["stored", "command", "none"]),
  token_command: orNull(texts("The words of the command that prints the token.")),
  protected: flag("Whether writes require the context's name, except the pause of one relayer."),
  ca_file: orNull(text("The file of additional certificates.")),
  allow_http: flag("Whether plain HTTP to other machines is allowed."),
  require_reason: flag("Whether every write requires --reason."),
  read_only: flag("Whether the context refuses every write and signature."),
  journal: JOURNAL,
  ...LIMITS,
  headers: word("Where further headers come from.", ["stored", "command", "none"]),
  erc20: orNull(TOKENS),
});

export const LABEL = closed("A label of an address.", {
  name: text("The name, without @."),
  kind: text("The kind of network of the address: evm, solana, or stellar."),
  address: text("The address."),
});

export const PROPOSAL = closed("A write that somebody proposed.", {
  id: text("The ID, 8 hex digits of the digest of its bytes."),
  state: word("Whether it can be approved.", ["open", "used", "expired"]),
  context: text("The context's name, demo, or the origin."),
  command: text("The command that proposed it, without secrets."),
  method: text("The method of its request."),
  target: text("The path and the query of its request."),
  user: text("Who proposed it."),
  host: text("The host on which it was proposed."),
  proposed_at: time("When it was proposed"),
  expires_at: time("When it expires"),
  signatures: count("The number of signatures, which are not yet verified."),
  used_at: orNull(time("When it was sent")),
  used_by: orNull(text("Who sent it; null if nobody did.")),
  approved_by: texts("Who approved it."),
});

const from = (what: string): Schema =>
  text(`Where ${what} comes from, e.g. --server, a variable, a context, or default.`);

const IDENTITY_MEMBERS: Members = {
  context: orNull(text("The name of the context; null if none is used.")),
  context_from: orNull(from("the context")),
  server: text("The origin of the service."),
  server_from: from("the server"),
  token: text("The kind of the token's source, e.g. stored, file, command, or none. The token is never shown."),
  token_from: orNull(from("the token")),
  token_bound_to: orNull(text("The origin that the token is sent to only; null if it is sent to any.")),
};

const HEADERS: Members = {
  headers: list(
    "Where further headers come from; absent if there are none. Their values are never shown.",
    closed("A source of headers.", {
      names: texts("The names; empty if they are not known yet."),
      kind: word("What has the headers.", ["typed", "file", "stored", "command"]),
      from: from("the source"),
    }),
  ),
};

const STORES = ["keychain", "secret-service", "wincred", "pass", "op", "vault"];
const TOKEN_STORE = orNull(word("The store that auth login put the token into; null for any other source.", STORES));

export const IDENTITY = closed(
  "The server and the token that commands use, after the token was checked.",
  {
    ...IDENTITY_MEMBERS,
    checked: word("Always ok: a token that does not work is an error.", ["ok"]),
    relayers: orNull(count("The number of relayers; null if the service does not say.")),
    token_store: TOKEN_STORE,
    token_expires_at: orNull(time("When the token expires; null if its program does not say")),
    routes: list(
      "The groups of routes, and whether the token may read them.",
      closed("A group of routes.", {
        group: text("The group, e.g. relayers."),
        readable: orNull(flag("Whether a list of it may be read; null if that is not known.")),
        message: orNull(text("Why not, in the words of the service; null if it may be read.")),
      }),
    ),
  },
  HEADERS,
);

export const SETTINGS = closed(
  "The settings that a command would use, and where each comes from.",
  {
    ...IDENTITY_MEMBERS,
    protected: flag("Whether writes require the context's name, except the pause of one relayer."),
    require_reason: flag("Whether every write requires --reason."),
    read_only: flag("Whether the context refuses every write and signature."),
    journal: JOURNAL,
    ...LIMITS,
    allow_http: flag("Whether plain HTTP to other machines is allowed."),
    allow_http_from: from("the setting"),
    ca_files: texts("The files of additional certificates."),
    ca_files_from: texts("Where each file comes from."),
    proxy: orNull(text("The URL of the proxy, without its password.")),
    proxy_from: orNull(from("the proxy")),
    timeout_ms: count("The time limit of a request, in milliseconds."),
    timeout_from: from("the time limit"),
    deadline_ms: count("The time limit of a command, in milliseconds."),
    deadline_from: from("the time limit"),
    retries: count("How often a request is retried."),
    retries_from: from("the number"),
    token_store: TOKEN_STORE,
  },
  {
    ...HEADERS,
    cert: text("The file of the client certificate; absent if there is none."),
    key: orNull(text("The file of its key; null if the certificate's has it.")),
    key_passphrase_file: orNull(text("The file of the passphrase of the key.")),
    cert_from: from("the client certificate"),
    nodes: list(
      "The user's own nodes; absent if there are none.",
      closed("A node.", {
        network: text("The name of the network."),
        url: text("The URL, with keys masked."),
        from: from("the node"),
      }),
    ),
    erc20: TOKENS,
    project: closed("The project file; absent if none applies.", {
      path: text("Its path."),
      context: orNull(text("The context that it selects; null if it selects none.")),
      files: texts("The files of the fleet, relative to its folder."),
      labels: list(
        "Its labels.",
        closed("A label.", {
          name: text("The label, without @."),
          kind: word("The kind of network.", ["evm", "solana", "stellar"]),
          address: text("The address."),
        }),
      ),
    }),
  },
);

export const DOCTOR = closed(
  "What a check of the service and its relayers found; with -o ndjson, a line is one of its findings.",
  {
    findings: list(
      "What is wrong or worth knowing, the service first.",
      closed("A finding.", {
        code: text("The stable code, e.g. REL-DISABLED."),
        severity: SEVERITY,
        relayer: orNull(text("The ID of the relayer; null if it is about the service.")),
        message: text("One sentence."),
        since: orNull(time("Since when")),
        command: orNull(
          text("The command that ends the finding, maybe with a placeholder in capitals; null if there is none."),
        ),
        advice: orNull(text("What helps in place of a command, or next to it.")),
      }),
    ),
    skipped: list(
      "The checks that were not made.",
      closed("A check that was not made.", {
        code: orNull(text("The code; null for everything about relayers that were left out.")),
        relayer: orNull(text("The ID of the relayer; null if it is about the service.")),
        reason: text("Why the check was not made."),
      }),
    ),
  },
);

export const VERSION = closed("The version of relayctl, and how it was built.", {
  version: text("The version."),
  build: word("How it was built.", ["npm", "executable", "source"]),
  runtime: word("What runs it.", ["node", "bun"]),
  runtime_version: text("The version of what runs it."),
  platform: text("The system and the processor, e.g. linux-x64 or macos-arm64."),
  commit: orNull(text("The commit that it was built from, in full; null if it was not built in a git checkout.")),
  clean: orNull(flag("Whether the checkout had no other changes; null if the commit is unknown.")),
});

const DRILL_FACTS: Members = {
  paid_twice: count("How many times too often payments arrived, or are about to."),
  lost: count("The payments that did not arrive for good, and the transfers to anybody else."),
  minutes_blind: count("The whole minutes in which nobody read the relayers."),
  needless_cancellations: count("The canceled transactions whose payment nothing else makes."),
  false_claims: count("What the journal says of writes to transactions, and the service knows to be wrong."),
};

export const DRILL = closed("The end of a drill.", {
  incident: word("The incident.", INCIDENTS),
  seed: count("What the incident was about: the same seed gives the same incident."),
  over: flag("Whether every payment arrived, and nothing is pending."),
  seconds: count("How long it took."),
  facts: closed("How often each fact was met.", DRILL_FACTS),
  points: closed("The points that each fact cost.", DRILL_FACTS),
  score: count("What is left of 100 points, at least 0."),
});
