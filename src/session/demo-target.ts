export const DEMO_ORIGIN = "http://demo.localhost";

/** Returns whether a record belongs to the demo: a context may have the same name. */
export function isDemoTarget({ context, server }: { context?: string; server: string }): boolean {
  return context === "demo" && server === DEMO_ORIGIN;
}
