extension Task where Success: Sendable, Failure == Never {
    /// What comes of work that several wait for; nil as soon as the one who asks is cancelled. The work goes on for the
    /// others.
    var valueUnlessCancelled: Success? {
        get async {
            let (values, continuation) = AsyncStream.makeStream(of: Success.self)
            Task<Void, Never> {
                continuation.yield(await value)
                continuation.finish()
            }
            return await values.first { _ in true }
        }
    }
}
