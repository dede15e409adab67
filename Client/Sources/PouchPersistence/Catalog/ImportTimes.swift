#if Persistence
    /// What a batch of products that was imported took.
    public struct ImportTimes: Sendable, Hashable {
        public let products: Int
        /// Making rows of them.
        public let converting: Duration
        /// Writing the rows, with the wait for the writer.
        public let storing: Duration
    }
#endif
