import Foundation
import PouchClient

/// Answers with the files of a folder, as a web server of static files does.
struct FolderTransport: Transport {
    let folder: URL

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        guard let data = try? Data(contentsOf: folder.appending(path: request.url.path())) else {
            return StreamedResponse(NetworkResponse(status: 404))
        }
        return StreamedResponse(NetworkResponse(status: 200, data: data))
    }
}
