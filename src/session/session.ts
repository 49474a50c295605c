import type { App } from "../app.ts";
import type { ChainNode } from "../chain/node/node.ts";
import type { OwnNodeBounds } from "../chain/open-chain.ts";
import type { Client } from "../client/client.ts";
import type { ClientContext, Trace } from "../client/client-context.ts";
import type { ApiRequest } from "../client/request.ts";
import type { EarlierWrite } from "../client/write.ts";
import type { Approvers, Erc20Tokens, Limits } from "../config/config.ts";
import type { TextFile } from "../config/files/text-file.ts";
import type { ServiceSettings } from "../config/resolve-settings.ts";
import type { Abi } from "../contract/abi.ts";
import type { JsonValue } from "../contract/json.ts";
import type { Message } from "../message.ts";
import type { Pasteable } from "../shell/shell-words.ts";
import type { SessionJournal } from "./journaling/session-journal.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Prints an escaped line on stderr, drawn for a terminal. Silent with `--quiet`. */
export type Say = (line: Message) => Promise<void>;

/** A cache between runs; without known secrets. */
export interface KeptFacts extends Pick<TextFile, "load"> {
  renew(make: (text: string | undefined) => string): Promise<void>;
}

/** The requests that a call may send: none in a dry run, and only reads with `--diff`. */
export type SessionReach = "all" | "reads" | "nothing";

export interface Session extends Stopwatch, Omit<SessionJournal, "log" | "bulkLog"> {
  client: Client;
  clock: App["clock"];
  interrupt: AbortSignal;
  say: Say;
  /** Reads the known ABIs once, without any that cannot be read. @param say notes those, and fails for the typed file */
  abis(say?: Say): Promise<Abi[]>;
  /** Returns a client for many concurrent requests, which share rate limits. @param bounds override all limits */
  inBulk(bounds?: Partial<Pick<ClientContext, "retries" | "remaining" | "throttle" | "ends">>): Client;
  /** Returns a client for an optional read: sent once, with a limit in milliseconds. */
  briefly(limit: number, bounds?: Partial<Pick<ClientContext, "report" | "isPatient">>): Client;
  /** Returns a client to restore something: with a limit in milliseconds, without the first Ctrl-C or the deadline. */
  atTheEnd(limit: number): Client;
  /** Can prove that a write was applied, but no sent or replaced transaction. @param ownId if the body's ID is new */
  readBack(earlier: ApiRequest, ownId: boolean): Promise<EarlierWrite>;
  headerNames(): Promise<readonly string[]>;
  /** How the service is reached, for a printed command; absent for `--demo`. */
  way?: ServiceSettings;
  /** Keeps `--verbose` from showing members of resources. */
  hide: Trace["hide"];
  reach: SessionReach;
  /** For receipts: the context's name, `demo`, or the origin. */
  name: string;
  /** `["-c", "prod"]`, `["--demo"]`, or empty: the flags that a hint must repeat to reach the same service. */
  flags: readonly string[];
  /** Returns the command for the same service and the user's shell, or why there is none. */
  pasteable(argv: readonly string[]): Pasteable;
  origin: string;
  isDemo: boolean;
  /** Opens a file of facts about the service. Absent if none may be kept: server and token come from the environment. */
  kept?(name: string): KeptFacts;
  /** Prompts for a required reason. @throws RelayctlError usage; declined if read-only */
  requireReason(): Promise<void>;
  coins: Map<string, Promise<string | undefined>>;
  /** Known networks, by name or ID, and relayers' networks, by ID. */
  networks: Map<string, Promise<{ symbol: string; explorer: string } | undefined>>;
  placed: Map<string, { network?: JsonValue | undefined; network_type?: JsonValue | undefined }>;
  hasOwnNodes: boolean;
  /** Returns the node at the typed URL, or of its variable or the context. Sends nothing yet. @throws usage */
  ownNode(network: string | undefined, bounds?: OwnNodeBounds): Promise<ChainNode | undefined>;
  protected: boolean;
  limits: Limits;
  erc20: Erc20Tokens;
  /** Who signs what moves money or loosens a limit, and which context says so. */
  approvers?: (Approvers & { place: string }) | undefined;
}
