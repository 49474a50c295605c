/** How Node reads replies, whatever NODE_OPTIONS says: no leniency, and at most 16 KiB of headers. */
export const STRICT = { insecureHTTPParser: false, maxHeaderSize: 16_384 } as const;

/** How long an idle connection may be used again. The service closes after 55 s; the shorter, the fewer stale sockets. */
export const KEEP_ALIVE = 1_000;
