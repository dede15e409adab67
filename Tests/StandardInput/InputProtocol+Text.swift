import Foundation
import Subprocess
import SystemPackage

extension InputProtocol where Self == FileDescriptorInput {
    /// A text that stands ready in a file without a name. Other than with `.string`, nothing has to be written while the
    /// program runs: swift-subprocess ends its own process where a program ends before that is done.
    public static func text(_ text: String) throws -> FileDescriptorInput {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file, options: .withoutOverwriting)
        defer { try? FileManager.default.removeItem(at: file) }
        return .fileDescriptor(
            try FileDescriptor.open(FilePath(file.path), .readOnly, options: .closeOnExec),
            closeAfterSpawningProcess: true)
    }
}
