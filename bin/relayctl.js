#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split(".").map(Number);
const newEnough = major * 1e6 + minor * 1e3 + patch >= 20018001;
// Completion is waited for at every TAB: it has an entry of its own, which loads next to nothing.
if (newEnough && process.argv[2] === "__complete") require("../dist/complete.js");
else if (newEnough) require("../dist/main.js").startProgram();
else process.stderr.write(`relayctl needs Node 20.18.1 or later; this is ${process.versions.node}\n`);
if (!newEnough) process.exitCode = 1;
