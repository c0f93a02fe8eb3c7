// A turn ends with the first microtask after its first call: code that has waited since is in another one.
export function createTurns(): () => number {
  let turn = 0
  let isOpen = false
  return () => {
    if (!isOpen) {
      isOpen = true
      turn += 1
      Promise.resolve().then(() => {
        isOpen = false
      })
    }
    return turn
  }
}
