import { post } from './engine.js'
await post()
