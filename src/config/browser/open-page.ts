import { spawn } from "node:child_process";
import { type Environment, programEnvironment } from "../environment.ts";

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Returns the words that open a page: `$BROWSER`'s first program, with `%s` for the URL, or the system's. */
export function openerOf(url: string, { env, platform }: { env: Environment; platform: string }): readonly string[] {
  const [typed = ""] = (env.BROWSER ?? "").split(":");
  const words = typed.split(/\s+/).filter((word) => word !== "");
  const program = words.length > 0 ? words : (OPENERS[platform] ?? ["xdg-open"]);
  const filled = program.map((word) => word.replaceAll("%s", () => url));
  return program.some((word) => word.includes("%s")) ? filled : [...program, url];
}

/** Opens a page in the user's browser, without a shell, and does not wait for it. @returns why it could not be started */
export async function openBrowserPage(
  url: string,
  surroundings: { env: Environment; platform: string },
): Promise<string | undefined> {
  const [program = "", ...args] = openerOf(url, surroundings);
  const child = spawn(program, args, {
    env: programEnvironment(surroundings.env),
    stdio: "ignore",
    detached: true,
  });
  child.unref();
  return await new Promise((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", ({ message }) => resolve(message));
  });
}
