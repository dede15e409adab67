import ArgumentParser
import Foundation
import PouchDomain
import PouchServer

struct ShopSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Write a settings file with the standard settings and what each means.",
        discussion: "Change it, and name it with --shop. Without FILE, it is printed.")

    @Argument(help: "The file to make; it must not exist yet.", completion: .file())
    var file: String?

    func run() async throws {
        guard let file else { return print(ShopSettings.commentedYAML, terminator: "") }
        do {
            try Data(ShopSettings.commentedYAML.utf8).write(
                to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw Failure("\(file) exists already. Name another file.")
        } catch {
            throw Failure("\(file) cannot be written. Check the path, and that you may write there.")
        }
        print("Wrote \(file).")
    }
}
