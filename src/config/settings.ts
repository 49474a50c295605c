import type { Bounds } from "./bounds.ts";
import type { Approvers, Erc20Tokens, Limits } from "./config.ts";
import type { ClientCertificateFiles } from "./connection/client-certificate.ts";
import type { NodeUrls } from "./nodes.ts";
import type { Sourced } from "./sourced.ts";
import type { Headers } from "./token/headers.ts";

/** How a command reaches its service: flags, variables, a context, and defaults combined (promises 6). */
export type Settings = (CommonSettings & { demo: true }) | ServiceSettings;

interface CommonSettings extends Bounds {
  notes: readonly string[];
  /** About the environment, which all contexts share. */
  variableNotes: readonly string[];
}

export interface ServiceSettings extends CommonSettings {
  demo: false;
  /** An address: `https://relayer.example.org`, or with a path, `https://gw.example.org/relayer`. */
  server: Sourced<string>;
  /** The context's name, and how it was chosen. Absent if flags or variables provided both server and token. */
  context?: Sourced<string>;
  token: TokenSource;
  /** By name, the last source counts. */
  headers: readonly HeaderSource[];
  /** Whether every write must be confirmed with the context's name. */
  protected: boolean;
  /** Whether the context refuses writes that cannot be recorded. */
  journal?: "required";
  requiresReason: boolean;
  readOnly?: boolean;
  /** Who signs writes, and which context of this server says so. */
  approvers?: Approvers & { place: string };
  limits: Limits;
  allowHttp: Sourced<boolean>;
  caFiles: readonly Sourced<string>[];
  /** Only for a service that demands one. */
  certificate?: Sourced<ClientCertificateFiles>;
  /** A proxy's URL, possibly with user-info: print it with `shownProxy`. Absent for a direct connection. */
  proxy?: Sourced<string>;
  /** The typed proxy for any server, including `none`; absent if the environment decides. */
  typedProxy?: Sourced<string>;
  nodes: NodeUrls;
  erc20: Erc20Tokens;
}

/** A context's headers are bound to its address; others go to the chosen server. */
export type HeaderSource =
  | { kind: "typed"; from: string; headers: Headers }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; headers: Headers; boundTo: string }
  /** The names are a token command's; any other header that it prints is ignored. */
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string; names?: readonly string[] };

/** A context's token is bound to its address; any other goes to the chosen server. */
export type TokenSource =
  | { kind: "none" }
  | { kind: "variable"; from: "RELAYCTL_TOKEN"; token: string }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; token: string; boundTo: string }
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string };
