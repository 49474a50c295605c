#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split(".").map(Number);
const oldEnough = major * 1e6 + minor * 1e3 + patch >= 20018001;
if (oldEnough) require("../dist/main.js");
else process.stderr.write(`relayctl needs Node 20.18.1 or later; this is ${process.versions.node}\n`);
if (!oldEnough) process.exitCode = 1;
