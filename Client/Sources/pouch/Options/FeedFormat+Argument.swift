#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient

    extension FeedFormat: @retroactive ExpressibleByArgument {
        /// By the name's extension; nil when that says nothing.
        init?(file: URL) {
            switch file.pathExtension.lowercased() {
            case "csv": self = .shopifyCSV
            case "json": self = .layersJSON
            default: return nil
            }
        }
    }
#endif
