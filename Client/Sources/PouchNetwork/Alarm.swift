/// Something that is done once a time has passed, unless it is cancelled before.
struct Alarm: Sendable {
    /// Does nothing once it has rung.
    let cancel: @Sendable () -> Void
}

extension Clock where Duration == Swift.Duration {
    /// - Parameter ring: called from a task of its own, so that the caller of this may hold a lock that it takes.
    func alarm(after pause: Duration, _ ring: @escaping @Sendable () -> Void) -> Alarm {
        // With any other clock each alarm costs a task.
        if let clock = self as? TimeoutClock { return clock.alarm(at: clock.now.advanced(by: pause), ring) }
        let task = Task {
            if (try? await sleep(for: pause)) != nil { ring() }
        }
        return Alarm { task.cancel() }
    }
}
