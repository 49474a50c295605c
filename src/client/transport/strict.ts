/** Options for parsing responses, whatever NODE_OPTIONS says: no leniency, and at most 16 KiB of headers. */
export const STRICT = { insecureHTTPParser: false, maxHeaderSize: 16_384 } as const;

/**
 * Milliseconds for which an idle connection may be reused. The service closes after 55 s; a shorter time means fewer
 * stale sockets.
 */
export const KEEP_ALIVE = 1_000;
