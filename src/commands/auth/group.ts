import type { CommandGroup } from "../command.ts";

export const auth: CommandGroup = {
  login: async () => (await import("./login.ts")).authLogin,
  logout: async () => (await import("./logout.ts")).authLogout,
  status: async () => (await import("./status.ts")).authStatus,
  token: async () => (await import("./token.ts")).authToken,
};
