import type { AllowedReferences } from "../../../fleet/open-sources.ts";

export interface ExportRequest {
  /** The files to update; none to write to stdout. */
  files: readonly string[];
  showUrls: boolean;
  allowed: AllowedReferences;
}
