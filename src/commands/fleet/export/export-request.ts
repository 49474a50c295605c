import type { AllowedReferences } from "../../../fleet/open-sources.ts";

/** What `export` was typed with. */
export interface ExportRequest {
  /** The files to update; none to write to stdout. */
  files: readonly string[];
  /** Whether the RPC URLs of networks are written in full. */
  showUrls: boolean;
  /** What the files may refer to. */
  allowed: AllowedReferences;
}
