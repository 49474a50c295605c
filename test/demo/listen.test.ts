import { createServer, type Socket, connect } from "node:net";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
