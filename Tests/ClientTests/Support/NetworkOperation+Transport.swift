import PouchNetwork

extension NetworkOperation {
    /// One attempt over a bare transport.
    convenience init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        over transport: any Transport,
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        self.init(request, sending: sending, in: NetworkSession(transport, clock: clock))
    }
}
