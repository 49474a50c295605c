export const DEMO_ORIGIN = "http://demo.localhost";

/** Returns whether a record names the demo: a context may have the same name. */
export function isDemoTarget({ context, server }: { context?: string; server: string }): boolean {
  return context === "demo" && server === DEMO_ORIGIN;
}
