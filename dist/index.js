import { index } from './engine.js'
await index()
