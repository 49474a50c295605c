import type { CommandGroup } from "../command.ts";
import { authLogin } from "./login.ts";
import { authLogout } from "./logout.ts";
import { authStatus } from "./status.ts";
import { authToken } from "./token.ts";

export const auth: CommandGroup = { login: authLogin, logout: authLogout, status: authStatus, token: authToken };
