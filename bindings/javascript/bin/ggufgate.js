#!/usr/bin/env node
import { main } from '../src/command/main.js';

process.exitCode = await main(process.argv.slice(2), process);
