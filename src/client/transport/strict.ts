/** Options for parsing responses, regardless of NODE_OPTIONS: no leniency, and at most 16 KiB of headers. */
export const STRICT = { insecureHTTPParser: false, maxHeaderSize: 16_384 } as const;
