import { isDryRun } from "../../command-support/shown.ts";
import { type Failure, RelayctlError } from "../../errors.ts";
import { messageText } from "../../message.ts";
import type { Ending, View } from "../../terminal/view.ts";
import type { Call, CommandSyntax } from "../command.ts";

export function defineNotifyFlag(command: CommandSyntax) {
  return command.option("--notify", "At the end, ring the terminal's bell, and show a notification if it has them");
}

/** Failures that the user at the terminal has seen. */
const ATTENDED: readonly Failure[] = ["usage", "declined", "interrupted"];

export async function notifyAfter(
  call: Call<{ notify?: true | undefined }>,
  subject: string,
  run: () => Promise<View>,
): Promise<View> {
  const { app, flags } = call;
  if (!flags.notify || isDryRun(call) || !app.stderr.isTerminal) return await run();
  const { notificationCodes } = await import("../../terminal/notification.ts");
  // A closed terminal must not hide how the command ended.
  const notify = (text: string) => app.stderr.write(notificationCodes(app.env, `${subject}: ${text}`)).catch(() => {});
  try {
    const view = await run();
    if (view.kind !== "list") {
      await notify("done");
      return view;
    }
    return {
      ...view,
      async ending() {
        const ending = (await view.ending?.()) ?? {};
        await notify(endingText(ending));
        return ending;
      },
    };
  } catch (error) {
    if (error instanceof RelayctlError && !ATTENDED.includes(error.failure)) await notify(error.message);
    throw error;
  }
}

function endingText({ failure, receipt = [], notes = [] }: Ending): string {
  const [line = "done"] = [...receipt, ...notes];
  return failure?.message ?? messageText(line);
}
