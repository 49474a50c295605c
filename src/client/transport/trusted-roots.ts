import type { SecureContext, SecureContextOptions } from "node:tls";
import { certificateOptions } from "./client-certificate.ts";
import type { NetworkOptions } from "./transport.ts";

/** The part of `node:tls` that knows certificates. `getCACertificates` exists in Node 22.15 and later. */
export interface Certificates {
  rootCertificates: readonly string[];
  getCACertificates?(type: "default" | "system"): string[];
  createSecureContext(options?: SecureContextOptions & { ca?: string[] }): SecureContext;
}

export interface TrustedRoots {
  /** Whether there may be certificates that `addOthers` would add. */
  readonly hasOthers: boolean;
  readonly wereAdded: boolean;
  context(): Promise<SecureContext>;
  addOthers(): void;
}

/** Errors of a chain whose end is not trusted: a root that the server sends, or a certificate that is its own root. */
const UNKNOWN_ISSUER = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
];

/** Returns whether an error says that more roots could make the certificate trusted. */
export function isUnknownIssuer(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNKNOWN_ISSUER.includes(String(error.code));
}

/**
 * Trusts the user's own certificates alone until `addOthers` is called, since it takes longer to parse all of Node's than
 * to open a connection. Without own certificates, Node's are trusted first.
 */
export function createTrustedRoots(
  own: readonly string[],
  { includesSystems = false, clientCertificate }: Pick<NetworkOptions, "includesSystems" | "clientCertificate"> = {},
  load: () => Promise<Certificates> = () => import("node:tls"),
): TrustedRoots {
  let wereAdded = false;
  let hasOthers = true;
  let context: Promise<SecureContext> | undefined;
  async function createContext(): Promise<SecureContext> {
    const tls = await load();
    const create = (ca?: readonly string[]) =>
      tls.createSecureContext({ ...(ca && { ca: [...ca] }), ...certificateOptions(clientCertificate) });
    // Older versions of Node do not know the system's certificates.
    hasOthers = own.length > 0 || tls.getCACertificates !== undefined;
    if (wereAdded && hasOthers) return create([...own, ...nodesAndSystems(tls)]);
    if (own.length > 0) return create(own);
    // The system's must come after an unknown issuer only: they would make a certificate trusted that is its own root.
    return create(includesSystems ? tls.rootCertificates : undefined);
  }
  return {
    get hasOthers() {
      return hasOthers;
    },
    get wereAdded() {
      return wereAdded;
    },
    context() {
      context ??= createContext();
      return context;
    },
    addOthers() {
      if (!wereAdded) context = undefined;
      wereAdded = true;
    },
  };
}

function nodesAndSystems({ rootCertificates, getCACertificates }: Certificates): string[] {
  if (!getCACertificates) return [...rootCertificates];
  return [...getCACertificates("default"), ...getCACertificates("system")];
}
