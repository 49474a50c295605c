/** Options for parsing responses, whatever NODE_OPTIONS says: no leniency, and at most 16 KiB of headers. */
export const STRICT = { insecureHTTPParser: false, maxHeaderSize: 16_384 } as const;
