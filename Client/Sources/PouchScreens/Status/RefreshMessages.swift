/// What every screen may ask of whoever shows it.
@MainActor
public protocol RefreshMessages {
    /// Reads anew what the screen shows, as after a failure. Returns when that has ended; how it went is in the screen's
    /// data.
    func refresh() async throws
}
