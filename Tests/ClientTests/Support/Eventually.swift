/// Waits for what nothing tells of.
///
/// - Throws: `CancellationError`, as when the test's time is up.
func eventually(isolation: isolated (any Actor)? = #isolation, _ isMet: () -> Bool) async throws {
    while !isMet() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
