#!/usr/bin/env node
import { cli } from './engine.js'
await cli()
