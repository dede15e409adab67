#if Persistence
    import Foundation

    /// A file that stood where the store belongs and that it could not use. It was renamed, and an empty store made.
    public struct SetAsideFile: Sendable, Hashable {
        public enum Reason: Sendable, Hashable {
            /// It is damaged. The text is for logs.
            case damaged(String)
            /// It is a database of something else.
            case foreign
        }

        public let reason: Reason
        /// Where it is now, beside the store. When the next one is set aside, this one is removed.
        public let movedTo: URL
    }
#endif
