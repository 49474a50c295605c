import { ROWS } from "./rows.ts";
import { tryRows } from "./try-row.ts";

tryRows(ROWS);
